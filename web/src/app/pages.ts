import { onDemand } from '#platform/code-on-demand.ts';

const signIn = onDemand(async () => (await import('./SignIn.tsx')).SignIn);
const workspace = onDemand(async () => (await import('./Workspace.tsx')).Workspace);

/** The two halves of the portal: the sign-in does not load the workspace. */
export const SignIn = signIn.Component;
export const Workspace = workspace.Component;

/** Starts to fetch what a path needs, before React asks for it; resolves when its page can be shown. */
export const preloadPage = async (path: string): Promise<void> => {
  // While a code or an assertion is being exchanged, the workspace comes along.
  if (path.startsWith('/oauth') || path.startsWith('/sso')) void signIn.preload().then(workspace.preload);
  await (path === '/' ? workspace : signIn).preload();
};
