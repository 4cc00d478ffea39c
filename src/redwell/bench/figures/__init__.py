"""The figures and tables of the published study, drawn from a folder of runs: SVG and PNG, the numbers as CSV, one page that holds them all."""
