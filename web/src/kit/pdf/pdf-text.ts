import type { PageText, TextLine } from '@pergamin/contract';
import { type PDFPageProxy, Util } from 'pdfjs-dist';

type Item = Extract<Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'][number], { readonly str: string }>;
type Run = TextLine['runs'][number];

/** A line is so much higher than its letters, of which this part stands above the ground line. */
const lineHeight = 1.16;
const aboveGround = 0.93;

/** The words of a page and where they stand, as the server tells them of documents that it draws. */
export const readText = async (page: PDFPageProxy, language: string | undefined): Promise<PageText> => {
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const lines: TextLine[] = [];
  let current: (Pick<TextLine, 'runs'> & { readonly start: Place }) | undefined;
  for (const item of items) {
    if (!('str' in item)) continue;
    const place = placeOf(item, transform);
    if (item.str.trim() !== '') {
      if (current === undefined || !isOnLine(current.start, place)) {
        current = { start: place, runs: [] };
        lines.push({ ...boxOf(place), runs: current.runs });
      }
      current.runs.push(...runsOf(item, distance(current.start, place)));
    }
    if (item.hasEOL) current = undefined;
  }
  return { language: language ?? null, lines };
};

/** Where the ground line of letters begins, in points from the top left corner of the page. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly radians: number;
}

const placeOf = ({ transform }: Item, viewport: readonly number[]): Place => {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = Util.transform([...viewport], transform).map(Number);
  return { x, y, height: Math.hypot(c, d), radians: Math.atan2(b, a) };
};

const boxOf = ({ x, y, height, radians }: Place): Omit<TextLine, 'runs'> => ({
  x: x + aboveGround * height * Math.sin(radians),
  y: y - aboveGround * height * Math.cos(radians),
  height: height * lineHeight,
  angle: (radians * 180) / Math.PI,
});

/** How far along the line another place is. */
const distance = ({ x, y, radians }: Place, other: Place): number => (other.x - x) * Math.cos(radians) + (other.y - y) * Math.sin(radians);

const isOnLine = (start: Place, place: Place): boolean => {
  const aside = (place.y - start.y) * Math.cos(start.radians) - (place.x - start.x) * Math.sin(start.radians);
  return Math.abs(place.radians - start.radians) < 0.01 && Math.abs(aside) < start.height / 2 && distance(start, place) >= 0;
};

const brush = new OffscreenCanvas(1, 1).getContext('2d');
/** How wide letters are against one another: the PDF tells the width of all of them only. */
const widthOf = (text: string): number => brush?.measureText(text).width ?? text.length;

const runsOf = ({ str, width }: Item, at: number): Run[] => {
  const scale = width / (widthOf(str) || 1);
  return Array.from(str.matchAll(/\S+/g), ({ 0: text, index }) => ({
    at: at + widthOf(str.slice(0, index)) * scale,
    text,
    ends: Array.from({ length: text.length }, (_, letter) => at + widthOf(str.slice(0, index + letter + 1)) * scale),
  }));
};
