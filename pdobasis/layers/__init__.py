"""What a layer needs of a basis, in NumPy: components, packing, variances of the initialisation, group elements.

Bases and discretizations come in, plain arrays go out. No torch in this room; it may call files, stencils and
everything below.
"""
