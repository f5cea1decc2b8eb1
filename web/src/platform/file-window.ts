import { on } from './events.ts';
import { onSessionCleared } from './session-token.ts';

/** Windows of the browser that show private files, and the addresses of those. */
const shown = new Map<Window, string | undefined>();
const lookMs = 2_000;
let looking: ReturnType<typeof setInterval> | undefined;

export interface FileToShow {
  readonly title: string;
  readonly fetchBytes: () => Promise<Blob>;
}

/**
 * Shows bytes in a new window of the browser, which closes with the session; `blocked` when the browser opens none. Throws what fetching
 * throws, and closes the window then.
 *
 * @NOTE To be called in the very task of a press: only then does a browser open windows.
 */
export const openFileWindow = async ({ title, fetchBytes }: FileToShow): Promise<'opened' | 'blocked'> => {
  const opened = globalThis.open('', '_blank');
  if (opened === null) return 'blocked';
  opened.document.title = title;
  opened.document.documentElement.lang = document.documentElement.lang;
  shown.set(opened, undefined);
  // A window does not tell its opener that it was closed.
  looking ??= setInterval(() => {
    for (const one of Array.from(shown.keys())) if (one.closed) end(one);
  }, lookMs);
  try {
    const bytes = await fetchBytes();
    // Closed meanwhile, by the person or with the session.
    if (!shown.has(opened) || opened.closed) return 'opened';
    const url = URL.createObjectURL(bytes);
    shown.set(opened, url);
    opened.location.replace(url);
    return 'opened';
  } catch (error) {
    end(opened);
    throw error;
  }
};

const end = (opened: Window): void => {
  const url = shown.get(opened);
  shown.delete(opened);
  if (url !== undefined) URL.revokeObjectURL(url);
  opened.close();
  if (shown.size > 0) return;
  clearInterval(looking);
  looking = undefined;
};

const endAll = (): void => Array.from(shown.keys()).forEach(end);

onSessionCleared(endAll);
on('personChanged', endAll);
