import { calls, languageCode, sessionHeaders, type SignInOption } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { route, type Route } from '#platform/http/route.ts';
import { requireSameOrigin } from '#platform/http/same-origin.ts';
import type { ServiceClient } from './identity-service.ts';
import { readLoginForm } from './login-form.ts';
import type { SignInParts } from './parts.ts';
import type { ServiceMessages } from './service-messages.ts';
import type { Sessions } from './sessions.ts';
import { findChallenge } from './sign-in.rules.ts';
import type { SignInFlow } from './sign-in.service.ts';

interface Parts extends Pick<SignInParts, 'cookies' | 'clients' | 'settings'> {
  readonly flow: SignInFlow;
  readonly messages: ServiceMessages;
  readonly sessions: Sessions;
}

/** The page where signing in begins, and where it begins again after a failure (B13). */
const signInPage = '/login-ex';
const failedPage = `${signInPage}?error=auth`;
const unreachablePage = `${signInPage}?error=service`;

const leadBack = ({ code }: PortalError): string => (code === 'VALIDATION_ERROR' ? failedPage : unreachablePage);

const parametersOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(request.url.split('?').slice(1).join('?'));

const readChallenge = (state: string | undefined): string => {
  const challenge = state === undefined ? undefined : findChallenge(state);
  if (challenge === undefined) throw invalidField('state', 'must be base64 of {"challenge", "method": "S256"}');
  return challenge;
};

const readLogoutToken = (body: unknown): string => {
  const [token, ...more] = body instanceof URLSearchParams ? body.getAll('logout_token') : [];
  if (token === undefined || more.length > 0) throw invalidField('logout_token', 'must be given once');
  return token;
};

const maxLogoutBytes = 16_384;

export const signInRoutes = (parts: Parts): readonly Route[] => [
  ...beginningRoutes(parts),
  ...sessionRoutes(parts),
  ...serviceRoutes(parts),
];

/** Steps 1 to 6: on the way to an identity service and back. */
const beginningRoutes = ({ flow, cookies, clients }: Parts): readonly Route[] => {
  const start = async (request: FastifyRequest, reply: FastifyReply, plan: Parameters<SignInFlow['begin']>[0]): Promise<string> => {
    const begun = await flow.begin(plan);
    if (begun === undefined) return unreachablePage;
    cookies.setBrowser(reply, [...cookies.readBrowser(request), begun.browser]);
    return begun.location;
  };

  return [
    route(calls.findSignInService, async ({ params }) => {
      flow.getClientFor(params.personalId);
      return { redirection: true as const };
    }),

    route(
      calls.startSignIn,
      async ({ params: { personalId }, query, request, reply }) => {
        const challenge = readChallenge(query.state);
        return start(request, reply, { client: flow.getClientFor(personalId), hint: personalId, challenge, language: query.lang });
      },
      { leadBack },
    ),

    route(
      calls.returnFromService,
      async ({ params, query, request, reply }) => {
        const client = getClient(clients, params.serviceId);
        const parameters = parametersOf(request);
        if (!parameters.has('code') && !parameters.has('error')) {
          const language = languageCode.safeParse(parameters.get('lang')).data ?? 'PL';
          return start(request, reply, { client, hint: null, challenge: readChallenge(query.state), language });
        }
        const returned = await flow.returnFrom(client, parameters, cookies.readBrowser(request));
        if ('code' in returned) return `/oauth/${returned.code}`;
        return returned.failed === 'unreachable' ? unreachablePage : failedPage;
      },
      { leadBack },
    ),
  ];
};

const sessionRoutes = ({ flow, sessions, settings }: Parts): readonly Route[] => [
  route(calls.login, async ({ request, reply }) => {
    requireSameOrigin(request, settings.publicUrl);
    const left = await sessions.start(request, reply, await readLoginForm(request));
    if (left !== undefined) await flow.endAtService(left);
  }),

  route(calls.logout, async ({ request, reply }) => {
    requireSameOrigin(request, settings.publicUrl);
    const left = await sessions.end(request, reply);
    await flow.endAtService(left);
    const elsewhere = await flow.findLogoutUrl(left);
    void reply.header('location', elsewhere?.url ?? signInPage);
    if (elsewhere !== undefined) void reply.header(sessionHeaders.endSession, elsewhere.endpoint);
  }),

  route(calls.refresh, ({ request, reply }) => sessions.refresh(request, reply)),
];

const serviceRoutes = ({ messages, cookies, clients, settings }: Parts): readonly Route[] => {
  const { publicUrl, identityServices } = settings;
  const buttons: SignInOption[] = identityServices.flatMap(({ id, name, button }) => (button === null ? [] : [{ id, name, ...button }]));
  return [
    route(calls.listSignInOptions, async () => buttons),

    route(calls.verifySso, async ({ params, query, request, reply }) => {
      requireSameOrigin(request, publicUrl);
      const { browser, ...answer } = await messages.acceptAssertion(params.id, readChallenge(query.state));
      cookies.setBrowser(reply, [...cookies.readBrowser(request), browser]);
      return answer;
    }),

    route(
      calls.backchannelLogout,
      async ({ params, body }) => messages.acceptLogoutToken(getClient(clients, params.serviceId), readLogoutToken(body)),
      { isForm: true, bodyLimit: maxLogoutBytes },
    ),
  ];
};

const getClient = (clients: Parts['clients'], serviceId: string): ServiceClient => {
  const client = clients.get(serviceId);
  if (client === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
  return client;
};
