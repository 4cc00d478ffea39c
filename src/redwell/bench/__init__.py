"""Tasks and their rubrics, rooms made to measure, the judges, the measures, the matrix of runs and its figures."""
