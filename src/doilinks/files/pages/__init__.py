"""Links the DOIs of HTML pages that any generator has built: ``doilinks html _site/``."""

from .page import Edit, Linked, link_page

__all__ = ["Edit", "Linked", "link_page"]
