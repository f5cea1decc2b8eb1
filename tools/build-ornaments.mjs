// Draws the still ornaments of the design language into design/: the woven figure behind the windows, the logo and the favicon.
// Run after changing a number here: node tools/build-ornaments.mjs
import { writeFileSync } from 'node:fs';

const design = new URL('../design/', import.meta.url);
const turn = Math.PI * 2;

/** A closed curve around (x, y): radius(t) for `steps` angles t. */
function curve(x, y, steps, digits, radius) {
  let d = '';
  for (let i = 0; i < steps; i++) {
    const t = (i / steps) * turn;
    const r = radius(t);
    d += `${i === 0 ? 'M' : 'L'}${(x + r * Math.sin(t)).toFixed(digits)} ${(y - r * Math.cos(t)).toFixed(digits)}`;
  }
  return `${d}Z`;
}

/** One lobed curve, copied by rotation and scale in three inks. The inks are custom properties: they follow the theme of the page that uses the file. */
function deskPrint({ lobes = 14, amplitude = 0.075 } = {}) {
  const band = (ink, from, to, count, turns) => {
    let uses = '';
    for (let i = 0; i < count; i++) {
      const f = i / (count - 1);
      const scale = (from + (to - from) * f).toFixed(3);
      const angle = ((360 / lobes) * turns * f).toFixed(2);
      uses += `<use href="#lobe" transform="rotate(${angle}) scale(${scale})"/>`;
      if (i > 0) uses += `<use href="#lobe" transform="rotate(-${angle}) scale(${scale})"/>`;
    }
    return `<g stroke="var(${ink})">${uses}</g>`;
  };
  const lobe = curve(0, 0, lobes * 20, 1, (t) => 100 * (1 + amplitude * Math.cos(lobes * t)));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-110 -110 220 220"><defs><path id="lobe" vector-effect="non-scaling-stroke" d="${lobe}"/></defs>` +
    `<symbol id="print" viewBox="-110 -110 220 220" overflow="visible"><g fill="none" stroke-width=".75" stroke-linejoin="round">` +
    `${band('--seal', 1, 0.66, 16, 1)}${band('--iris-2', 0.62, 0.4, 11, 1)}${band('--iris-3', 0.37, 0.2, 8, 1)}</g></symbol></svg>\n`
  );
}

const letter = 'M14.1 10.4h6.2c3.6 0 6.1 2.3 6.1 5.7s-2.5 5.7-6.1 5.7h-2.4v4.4h-3.8zm3.8 3.3v4.8h2c1.6 0 2.6-.9 2.6-2.4s-1-2.4-2.6-2.4z';

function logo(scallops) {
  const disc = curve(18, 18, 288, 2, (t) => 17 + 0.8 * Math.cos(scallops * t));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path fill="#006149" d="${disc}"/>` +
    `<circle cx="18" cy="18" r="13.6" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width=".8"/>` +
    `<path fill="#fff" fill-rule="evenodd" d="${letter}"/></svg>\n`
  );
}

writeFileSync(new URL('desk-print.svg', design), deskPrint());
writeFileSync(new URL('logo.svg', design), logo(24));
writeFileSync(new URL('favicon.svg', design), logo(16));
