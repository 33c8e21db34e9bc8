// The texts of a page of which the contrast is less than 4.5 [WCAG 2.2, 1.4.3].
() => {
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((n) => n / 255)
      .map((n) => n <= .04045 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (numbers(colour)[3] !== 0) return colour;
    }
  };
  const low = [];
  for (const element of document.querySelectorAll("h1, p, a, span, b, li, button, input, select")) {
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) low.push(`${element.tagName} ${element.className} ${ratio}`);
  }
  return low;
}
