import { mountPath } from '../parts.ts';

/** The configuration that the portal needs to sign people in over OpenID Connect, as an outside service would give it. */
export interface RelyingParty {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The one first-party client. Its addresses are the portal's, written once here. */
export const portalClient = (publicUrl: URL) => ({
  id: 'pergamin',
  redirectUri: new URL('/api/open/redirect/back/pergamin', publicUrl).href,
  /** Where a sign-in begins again, or with another id. */
  signInUrl: new URL('/login-ex', publicUrl).href,
});

export const issuerOf = (publicUrl: URL): string => `${publicUrl.origin}${mountPath}`;
