import { useSyncExternalStore } from 'react';
import { createStore } from '#platform/store.ts';

type Urgency = 'polite' | 'assertive';

/** Has a screen reader say `text`; needs one `<Announcer />` on the page. Saying the same twice is heard twice. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  // A live region is silent when its text does not change: a trailing no-break space makes it another text.
  const now = said.getState();
  said.setState({ ...now, [urgency]: now[urgency] === text ? `${text}\u00A0` : text });
}

/** The page's live regions for what is only heard; messages that are seen have regions of their own, in `Toasts`. */
export function Announcer() {
  const now = useSyncExternalStore(said.subscribe, said.getState, said.getState);
  return (
    // The attribute keeps an open dialog from hiding what is said.
    <div className="visually-hidden" data-react-aria-top-layer="true">
      <div role="status" aria-live="polite">
        {now.polite}
      </div>
      <div role="alert" aria-live="assertive">
        {now.assertive}
      </div>
    </div>
  );
}

const said = createStore<Readonly<Record<Urgency, string>>>({ polite: '', assertive: '' });
