-- The time zone of the project.
SELECT timezone FROM projects ORDER BY version DESC LIMIT 1
