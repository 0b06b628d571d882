// SPDX-License-Identifier: Apache-2.0
// Names and focus that the theme leaves out: axe-core finds nothing on the pages.
document$.subscribe(() => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-code__nav").forEach((bar, place) => bar.setAttribute("aria-label", `Code ${place + 1}`));
  document.querySelectorAll("nav.md-nav[aria-labelledby]").forEach((part, place) => {
    const label = document.getElementById(part.getAttribute("aria-labelledby"))?.textContent.trim();
    part.removeAttribute("aria-labelledby");
    part.setAttribute("aria-label", `${label} ${place + 1}`);
  });
  document.querySelectorAll("pre > code, .tabbed-labels, .md-typeset__scrollwrap").forEach((part) => (part.tabIndex = 0));
});
