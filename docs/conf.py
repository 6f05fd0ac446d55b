"""How Sphinx builds the site: ``python -m tools.site OUT``."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import stablemate  # noqa: E402 as its path is known only now

project = "stablemate"
release = version = stablemate.__version__
html_title = f"stablemate {release}"
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "tools.site.extension",
]
exclude_patterns = ["build"]
highlight_language = "text"
smartquotes = False  # two hyphens are an option

nb_execution_mode = "off"  # python -m tools.course has stored the outputs
nb_merge_streams = True
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = ["Source", "Sources", "Shapes"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
add_module_names = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Nothing comes from a network: no fonts, no scripts, no styles.
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "_static" / "scorer.js")
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
