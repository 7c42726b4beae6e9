"""Networks by the words of a configuration.

`digits` is the paper's network for rotated digits with all its fields, `small` that of PDO-eConvs, `natural` the
Wide-ResNet, `flow` the U-Net; `layers` makes one layer, steerable or ordinary; `describe` lists what was built.
"""
