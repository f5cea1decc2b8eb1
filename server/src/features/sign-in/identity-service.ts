import * as openid from 'openid-client';
import type { LanguageCode } from '@pergamin/contract';
import { isPersonalId } from './sign-in.rules.ts';

/** An OpenID Connect provider that people may sign in at: the embedded one, or anybody's by issuer address. */
export interface SignInService {
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of the ID token that holds the personal id. Never an e-mail address: those change hands. */
  readonly claim: string;
  /** Which personal ids belong to this service, by their form alone. */
  readonly pattern: RegExp;
  /** How requests reach it; the embedded service is asked in process. */
  readonly transport?: openid.CustomFetch;
  /** Ends a session there, by the `sid` of the ID token, without the person's help. */
  readonly endSession?: (sid: string) => Promise<void>;
}

export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignedIn {
  readonly personalId: string;
  readonly serviceSession: string | null;
}

export interface ServiceClient {
  readonly service: SignInService;
  /** Where to send the browser. */
  authorizationUrl(attempt: Attempt, wishes: { hint: string | null; language: LanguageCode }): Promise<string>;
  /** Turns the parameters the service sent the browser back with into a person. Throws for anything that does not fit the attempt. */
  complete(parameters: URLSearchParams, attempt: Attempt): Promise<SignedIn>;
}

const timeoutSeconds = 5;
const maxSidLength = 255;

const discover = async (service: SignInService): Promise<openid.Configuration> => {
  const issuer = new URL(service.issuer);
  const execute = [openid.enableNonRepudiationChecks];
  // Settings allow http on loopback only.
  if (issuer.protocol === 'http:') execute.push(openid.allowInsecureRequests);
  return openid.discovery(issuer, service.clientId, undefined, openid.ClientSecretBasic(service.clientSecret), {
    execute,
    timeout: timeoutSeconds,
    ...(service.transport === undefined ? {} : { [openid.customFetch]: service.transport }),
  });
};

/** Everything that is asked of one identity service. Its metadata are read when first needed, and again after a failure. */
export const createServiceClient = (service: SignInService, publicUrl: URL): ServiceClient => {
  // One address per issuer, so that an answer of one service cannot be passed off as another's.
  const redirectUri = new URL(`/api/open/redirect/back/${service.id}`, publicUrl).href;
  let configuration: Promise<openid.Configuration> | undefined;
  const configure = (): Promise<openid.Configuration> => {
    configuration ??= discover(service).catch((error: unknown) => {
      configuration = undefined;
      throw error;
    });
    return configuration;
  };
  return {
    service,

    async authorizationUrl({ state, nonce, verifier }, { hint, language }) {
      const url = openid.buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'login',
        ui_locales: language.toLowerCase(),
        ...(hint === null ? {} : { login_hint: hint }),
      });
      return url.href;
    },

    async complete(parameters, { state, nonce, verifier }) {
      const returned = new URL(redirectUri);
      returned.search = parameters.toString();
      const tokens = await openid.authorizationCodeGrant(await configure(), returned, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const personalId = claims?.[service.claim];
      if (!isPersonalId(personalId)) throw new Error(`the claim ${service.claim} is missing or not a personal id`);
      const sid = claims?.['sid'];
      return { personalId, serviceSession: typeof sid === 'string' && sid.length <= maxSidLength ? sid : null };
    },
  };
};
