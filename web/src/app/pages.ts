import { createElement, use, type FunctionComponent } from 'react';

/**
 * A half of the portal with code of its own. Once that is there it is rendered at once: `lazy`, and `use` of the promise alone, would suspend
 * even then, and React holds whatever follows a fallback back for 300 ms.
 */
const pageOf = <Props extends object>(load: () => Promise<FunctionComponent<Props>>) => {
  let loaded: FunctionComponent<Props> | undefined;
  let loading: Promise<FunctionComponent<Props>> | undefined;
  const begin = (): Promise<FunctionComponent<Props>> => {
    loading ??= load().then((component) => (loaded = component));
    return loading;
  };
  return {
    Page: (props: Props) => createElement(loaded ?? use(begin()), props),
    // A failure comes again, and is shown, when the page itself is needed.
    preload: (): Promise<void> =>
      begin().then(
        () => undefined,
        () => void (loading = undefined),
      ),
  };
};

const signIn = pageOf(async () => (await import('./SignIn.tsx')).SignIn);
const workspace = pageOf(async () => (await import('./Workspace.tsx')).Workspace);

/** The two halves of the portal: nobody who signs in loads the workspace first. */
export const SignIn = signIn.Page;
export const Workspace = workspace.Page;

/** Starts to fetch what a path needs, before React asks for it; resolves when its page can be shown. */
export const preloadPage = async (path: string): Promise<void> => {
  // While a code or an assertion is being exchanged, the workspace comes along.
  if (path.startsWith('/oauth') || path.startsWith('/sso')) void signIn.preload().then(workspace.preload);
  await (path === '/' ? workspace : signIn).preload();
};
