/** A browser that asks for the next page breaks off what this one still fetches: that is no failure of the network. */
const mayBeStoppedMs = 3_000;
let leaving = false;

addEventListener('beforeunload', () => {
  leaving = true;
  // An address that turns out to be a download leaves the page where it is.
  setTimeout(() => (leaving = false), mayBeStoppedMs);
});

export const isLeavingPage = (): boolean => leaving;
