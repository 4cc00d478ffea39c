"""Redwell reads a whole data room and writes a due diligence report in which every quote is checked against its source.

Nothing is imported here, so that `import redwell` costs nothing; take what you need from the packages.
"""

__version__ = "0.1.0"
