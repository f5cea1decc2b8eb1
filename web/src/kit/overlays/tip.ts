/** A tooltip, with `cut` only while the control has no room for its own text. For the eyes only: the name or description has to say it too. */
export const tip = (text: string | undefined, when?: 'cut') => ({ 'data-tip': text, 'data-tip-when': when });
