/** Why somebody comes to `/oauth`: with a code, because a named service is required, or for no reason that we know. */
export type Arrival =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'service'; readonly serviceId: string }
  | { readonly kind: 'nothing' };

const oauthPath = /^\/oauth(?:\/(?<code>[^/]*))?\/?$/;

/** What an address says; undefined for any page but `/oauth`. `required` wins over a code beside it (A12). */
export const arrivalOf = (address: URL): Arrival | undefined => {
  const found = oauthPath.exec(address.pathname);
  if (found === null) return undefined;
  const serviceId = address.searchParams.get('required');
  if (serviceId !== null && serviceId !== '') return isServiceId(serviceId) ? { kind: 'service', serviceId } : { kind: 'nothing' };
  const code = found.groups?.['code'];
  // A code is base64url; anything else in its place was never given out by us.
  return code !== undefined && /^[\w-]+$/.test(code) ? { kind: 'code', code } : { kind: 'nothing' };
};

/** As the server has them; anything else would not even make a path. */
const isServiceId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

let arrival: Arrival | undefined;

/** Takes the code out of the address bar and the history. Called before anything else is done or asked for. */
export const hideArrival = (): void => {
  arrival = arrivalOf(new URL(location.href));
  if (arrival !== undefined) history.replaceState(null, '', '/oauth');
};

/** Hands the arrival out once: a code is good for one attempt. */
export const takeArrival = (): Arrival | undefined => {
  const taken = arrival;
  arrival = undefined;
  return taken;
};
