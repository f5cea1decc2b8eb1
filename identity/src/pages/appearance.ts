import type { IncomingMessage } from 'node:http';
import { readCookie } from '../read-cookie.ts';

/** What the portal keeps in cookies of the looks that a customer has chosen, where that is not the usual. */
const choices = { theme: ['light', 'dark'], contrast: ['more'], density: ['compact'], motion: ['reduced'] } as const;

/** Attributes of the root element, where the style sheets look: no page of the sign-in has other colours than the one before. */
export const appearanceOf = (request: IncomingMessage): string =>
  Object.entries(choices)
    .map(([of, known]) => {
      const kept = readCookie(request, of);
      return known.some((choice) => choice === kept) ? ` data-${of}="${kept}"` : '';
    })
    .join('');
