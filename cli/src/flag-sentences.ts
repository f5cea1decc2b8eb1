import type { PdfFlag } from '@pergamin/contract';

/** What each flag of a published PDF means to its publisher. */
export const flagSentences: Record<PdfFlag, string> = {
  JAVASCRIPT: 'it holds a script, which the portal does not run',
  LAUNCH: 'it holds an action that starts a program, which the portal does not start',
  EMBEDDED_FILE: 'it holds an attached file, which only the file itself shows',
  FORM_SUBMIT: 'it holds a form that is sent somewhere, which the portal does not send',
  OUTSIDE_LINK: 'it holds a link to the outside',
  XFA: 'it holds a form in XML (XFA), which customers do not see',
  RICH_MEDIA: 'it holds sound, film or 3D, which only the file itself plays',
  FONT_GUESSED: 'a font is not in the file, and customers may see other letters than you meant',
  HIDDEN_CONTENT:
    'it holds words that no page shows (a layer that is off, a hidden note, text outside of the page); customers do not see them',
  LETTERS_MISSING: 'no font has some of its letters, and customers do not see them',
  PAGE_UNDRAWABLE: 'a page has no size or cannot be read, and customers see a notice in its place',
  REPAIRED: 'its tables were damaged and were rebuilt; other readers may show it otherwise',
};
