"""Links the DOIs of HTML pages that any generator has built: ``doilinks html _site/``."""

from .page import Linked, link_page
from .proof import Edit

__all__ = ["Edit", "Linked", "link_page"]
