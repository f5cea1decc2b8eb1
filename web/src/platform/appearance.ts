/** What a customer may choose about the looks, each with what holds without a choice first: mostly what the device, or the room, says. */
export const appearances = {
  theme: ['system', 'light', 'dark'],
  contrast: ['system', 'more'],
  density: ['comfortable', 'compact'],
  motion: ['system', 'reduced'],
  arrangement: ['windows', 'beside'],
  'viewer-thumbnails': ['auto', 'shown', 'hidden'],
  'viewer-details': ['auto', 'shown', 'hidden'],
} as const;

export type Appearance = keyof typeof appearances;
export type AppearanceChoice<A extends Appearance> = (typeof appearances)[A][number];

/** The customer's choice, from a cookie: local storage holds nothing but the statute flag (B18), session storage would forget it with the tab. */
export const currentAppearance = <A extends Appearance>(of: A): AppearanceChoice<A> => {
  const choices: readonly AppearanceChoice<A>[] = appearances[of];
  const kept = document.cookie.split('; ');
  const [usual] = appearances[of];
  return choices.find((choice) => kept.includes(`${of}=${choice}`)) ?? usual;
};

/** Puts the choices on the root element, where the style sheets look; called before the first render. */
export const applyAppearance = (): void => {
  const { dataset } = document.documentElement;
  for (const of of ['theme', 'contrast', 'density', 'motion', 'arrangement'] as const) {
    const choice = currentAppearance(of);
    if (choice === appearances[of][0]) delete dataset[of];
    else dataset[of] = choice;
  }
};
