/**
 * Gives a control a short text beside it: after 500 ms of pointing, at once on keyboard focus; Escape hides it. With `cut` only while the
 * control has no room for its own text. It is for the eyes only: give the text to the accessible name or description as well.
 */
export const tip = (text: string | undefined, when?: 'cut') => ({ 'data-tip': text, 'data-tip-when': when });
