"""Thousands of questions: lists of them, workers that answer side by side, and a store that can be queried.

============= ================================================================
``questions`` a YAML file to a list of questions, each known by its hash
``answering`` one question to one row, and the file of its answer
``store``     a folder: Parquet for the rows, one file for each different answer
``working``   what a worker does with a batch
``shares``    which worker takes which questions
``sweep``     batches over processes, or over a Dask cluster; goes on where it stopped
============= ================================================================

It may call ``files`` and everything below; pyarrow and Dask are an extra, and imported when they are used.
"""
