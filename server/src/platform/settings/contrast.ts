/** The sixteen basic names of CSS. */
const named: Readonly<Record<string, string>> = {
  black: '#000000',
  silver: '#c0c0c0',
  gray: '#808080',
  white: '#ffffff',
  maroon: '#800000',
  red: '#ff0000',
  purple: '#800080',
  fuchsia: '#ff00ff',
  green: '#008000',
  lime: '#00ff00',
  olive: '#808000',
  yellow: '#ffff00',
  navy: '#000080',
  blue: '#0000ff',
  teal: '#008080',
  aqua: '#00ffff',
};

const hexOf = (color: string): string | undefined => {
  const written = color.toLowerCase();
  const hex = Object.hasOwn(named, written) ? named[written] : written;
  if (hex === undefined || !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(hex)) return undefined;
  return hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1);
};

/** Relative luminance, WCAG 2.2. */
const luminanceOf = (hex: string): number => {
  const linear = [0, 2, 4].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = linear;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast of "background text", from 1 to 21 (WCAG 2.2); undefined when these are not two colours. */
export const contrastOf = (pair: string): number | undefined => {
  const [background, foreground, ...more] = pair.split(' ').map(hexOf);
  if (background === undefined || foreground === undefined || more.length > 0) return undefined;
  const [darker = 0, lighter = 0] = [luminanceOf(background), luminanceOf(foreground)].toSorted((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
};
