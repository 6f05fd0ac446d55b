// Colors: what an operation does, and where it stands on the scale of an overlay.

export const FAMILY_NAMES = { contraction: "contractions", movement: "data movement", reduction: "reductions, sorts", control: "control flow, calls", external: "collectives, host, random", elementwise: "elementwise" };

// From nothing to the most, for light and dark pages; equal steps look equal.
const SCALES = {
  light: ["#f4f6fb", "#fdeecb", "#fbc880", "#f3924f", "#d9502f", "#9c1c2b"],
  dark: ["#232a3a", "#4a3150", "#8a3559", "#cf4b4a", "#f28a3f", "#fbd871"],
};
const BAD = { light: "#c026d3", dark: "#e879f9" };

export function heat(position, theme) {
  const scale = SCALES[theme];
  const at = Math.max(0, Math.min(1, position)) * (scale.length - 1);
  const i = Math.min(Math.floor(at), scale.length - 2);
  return mixed(scale[i], scale[i + 1], at - i);
}

export function heatOf(overlay, id, theme) {
  if (overlay.bad.has(id)) return BAD[theme];
  return overlay.has(id) ? heat(overlay.position(overlay.of[id]), theme) : null;
}

function mixed(a, b, share) {
  const channels = [1, 3, 5].map((i) => {
    const [low, high] = [a, b].map((each) => parseInt(each.slice(i, i + 2), 16));
    return Math.round(low + (high - low) * share).toString(16).padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

// Black or white, whichever is read better on a color.
export function inkOn(color) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#151a26" : "#ffffff";
}
