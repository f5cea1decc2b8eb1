/** What happens in one place and is minded in another; features never call each other. */
export interface PortalEvents {
  /** A message for the customer, shown at the top for a few seconds. `action`: a button in it, such as one that undoes what was done. */
  alert: {
    readonly tone: 'success' | 'error' | 'info' | 'warning';
    readonly title: string;
    readonly detail?: string;
    readonly action?: { readonly label: string; readonly run: () => void };
  };
  /** The session is over, its traces are cleared. `hadToken`: a person has to be told (B8). `to`: our page to which a logout elsewhere leads. */
  sessionEnded: { readonly hadToken: boolean; readonly to?: string };
  /** Another person signed in, in another tab; the token of that person is stored already (B17). */
  personChanged: { readonly personalId: string };
  /** A protected call was refused until the statute in force is accepted (C3). */
  statuteRequired: undefined;
  /** Marks of this document changed: lists that show it should be read again (F5). */
  documentUpdated: { readonly documentId: string };
  /** A verification that failed found this document damaged: lists that show it say so at once (D18). */
  documentDamaged: { readonly documentId: string };
  /** A list of documents is asked to show all that is unread, the oldest of which is of the day `since`. */
  unreadAsked: { readonly kind: string; readonly since: string };
  /** Documents have been published for the person here: lists should be read again. */
  documentsPublished: undefined;
  /** The person has sent a document to the organisation: lists of those should be read again (H3). */
  documentSent: undefined;
  /** The person changed something about the account: what shows it should ask again (J1). */
  accountUpdated: undefined;
}

type Listener<Name extends keyof PortalEvents> = (event: PortalEvents[Name]) => void;

const listeners: { [Name in keyof PortalEvents]: Set<Listener<Name>> } = {
  alert: new Set(),
  sessionEnded: new Set(),
  personChanged: new Set(),
  statuteRequired: new Set(),
  documentUpdated: new Set(),
  documentDamaged: new Set(),
  unreadAsked: new Set(),
  documentsPublished: new Set(),
  documentSent: new Set(),
  accountUpdated: new Set(),
};

/** Reaches listeners of this tab only, synchronously. */
export const emit = <Name extends keyof PortalEvents>(name: Name, event: PortalEvents[Name]): void => {
  // A listener may leave, or join, while it is being told.
  Array.from(listeners[name]).forEach((listener) => listener(event));
};

/** Listens until the returned function is called. */
export const on = <Name extends keyof PortalEvents>(name: Name, listener: Listener<Name>): (() => void) => {
  listeners[name].add(listener);
  return () => listeners[name].delete(listener);
};
