/** Why the browser comes to `/oauth` or `/sso`: with a code, with an assertion, because a named service is required, or for no reason that we know. */
export type Arrival =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'assertion'; readonly assertion: string }
  | { readonly kind: 'service'; readonly serviceId: string }
  | { readonly kind: 'nothing' };

const ssoPath = /^\/sso(?:\/(?<assertion>[^/]*))?\/?$/;
const oauthPath = /^\/oauth(?:\/(?<code>[^/]*))?\/?$/;

/** What an address says; undefined for any page but `/oauth` and `/sso`. `required` wins over a code beside it (A12). */
export const arrivalOf = (address: URL): Arrival | undefined => {
  const sso = ssoPath.exec(address.pathname);
  // In the fragment an assertion reaches no server and no log on its way here.
  if (sso !== null) return withAssertion(sso.groups?.['assertion'] || address.hash.slice(1));
  const found = oauthPath.exec(address.pathname);
  if (found === null) return undefined;
  const serviceId = address.searchParams.get('required');
  if (serviceId !== null && serviceId !== '') return isServiceId(serviceId) ? { kind: 'service', serviceId } : { kind: 'nothing' };
  const code = found.groups?.['code'];
  // A code is base64url; anything else in its place was never given out by us.
  return code !== undefined && /^[\w-]+$/.test(code) ? { kind: 'code', code } : { kind: 'nothing' };
};

/** A signed JWT: three parts in base64url. */
const withAssertion = (text: string): Arrival =>
  /^[\w-]+(?:\.[\w-]+){2}$/.test(text) ? { kind: 'assertion', assertion: text } : { kind: 'nothing' };

/** As the server has them; anything else would not even make a path. */
const isServiceId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

let arrival: Arrival | undefined;

/** Takes the code or the assertion out of the address bar and the history. Called before anything else is done or asked for. */
export const hideArrival = (): void => {
  arrival = arrivalOf(new URL(location.href));
  if (arrival !== undefined) history.replaceState(null, '', location.pathname.startsWith('/sso') ? '/sso' : '/oauth');
};

/** Hands the arrival out once: a code is good for one attempt. */
export const takeArrival = (): Arrival | undefined => {
  const taken = arrival;
  arrival = undefined;
  return taken;
};
