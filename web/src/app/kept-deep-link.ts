import { documentId } from '@pergamin/contract';
import { parseDeepLink, type DeepLink } from '#desktop/deep-link.ts';

const storageKey = 'open';

/** Windows that an address may open (A11). */
const linkedKinds = [
  'received',
  'statements',
  'public',
  'document',
  'document-info',
  'document-history',
  'sent',
  'sent-document',
  'sending',
  'verification',
  'account',
  'whats-new',
  'accessibility',
] as const;
const ofOneDocument: readonly string[] = ['document', 'document-info', 'document-history', 'sent-document'];

/** Moves `#open=…` from the address bar into session storage, where it survives the sign-in. */
export const keepDeepLink = (): void => {
  if (!location.hash.startsWith('#open=')) return;
  sessionStorage.setItem(storageKey, location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
};

export const hasDeepLink = (): boolean => location.hash.startsWith('#open=') || sessionStorage.getItem(storageKey) !== null;

/** The kept link, once; `unknown` when it leads nowhere we know. */
export const takeDeepLink = (): DeepLink | 'unknown' | undefined => {
  const kept = sessionStorage.getItem(storageKey);
  if (kept === null) return undefined;
  sessionStorage.removeItem(storageKey);
  const link = parseDeepLink(kept, linkedKinds);
  if (link === undefined) return 'unknown';
  if (!ofOneDocument.includes(link.kind)) return link;
  return documentId.safeParse(link.id).success ? link : 'unknown';
};
