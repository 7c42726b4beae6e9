"""What a layer needs of a basis, in NumPy: components, packing, variances of the initialisation, thresholds, group
elements.

`request` reads what the user asks for, `from_file` what a file holds; both end in a `layer_basis`, which `pack` makes
small and `fingerprint` names. `off_grid` tells how far a layer is from equivariance off the grid, `advice` warns where
other stencils would be much nearer.

Bases and discretizations come in, plain arrays go out. No torch in this room; it may call files, measure, stencils and
everything below.
"""
