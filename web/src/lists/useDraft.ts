import { useState } from 'react';

/** What is being written until it is applied, and what is wrong in it. It begins anew when something else is applied: a chip was taken away, or a saved view opened. */
export function useDraft<Applied, Draft>(applied: Applied, draftOf: (applied: Applied) => Draft) {
  const [seen, setSeen] = useState(applied);
  const [draft, setDraft] = useState(() => draftOf(applied));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const change = (next: Draft): void => {
    setDraft(next);
    setErrors({});
  };
  if (seen !== applied) {
    setSeen(applied);
    change(draftOf(applied));
  }
  return { draft, change, errors, setErrors };
}
