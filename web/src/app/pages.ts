import { lazy } from 'react';

const loadSignIn = () => import('./SignIn.tsx');
const loadWorkspace = () => import('./Workspace.tsx');

/** The two halves of the portal, each with code of its own: nobody who signs in loads the workspace first. */
export const SignIn = lazy(async () => ({ default: (await loadSignIn()).SignIn }));
export const Workspace = lazy(async () => ({ default: (await loadWorkspace()).Workspace }));

/** Starts to fetch what a path needs, before React asks for it. */
export const preloadPage = async (path: string): Promise<void> => {
  // A failure here comes again, and is shown, when the page itself is needed.
  await (path === '/' ? loadWorkspace() : loadSignIn()).catch(() => undefined);
  // While a code or an assertion is being exchanged, the workspace comes along.
  if (path.startsWith('/oauth') || path.startsWith('/sso')) await loadWorkspace().catch(() => undefined);
};
