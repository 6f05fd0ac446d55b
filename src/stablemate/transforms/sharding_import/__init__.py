"""Shardings in the forms in which programs are exported, as meshes and shardings of Shardy."""
