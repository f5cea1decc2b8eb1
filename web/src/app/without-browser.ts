/* What the page's code looks at when it is loaded and drawn, in a thread of the server that has none of it. */
Object.assign(globalThis, {
  addEventListener: () => {},
  matchMedia: () => ({ matches: false }),
  document: { documentElement: {} },
  sessionStorage: { getItem: () => null },
});
