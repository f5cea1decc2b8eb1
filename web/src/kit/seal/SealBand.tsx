import type { ReactNode } from 'react';
import { Seal } from './Seal.tsx';
import css from './SealBand.module.css';

/** At the head of a panel: the seal of a document, if its checksum is known, and in words beside it how it stands with the document. */
export function SealBand({ sha256, children }: { readonly sha256: string | undefined; readonly children: ReactNode }) {
  return (
    <section className={css['band']}>
      {sha256 !== undefined && <Seal sha256={sha256} size={60} />}
      <div>{children}</div>
    </section>
  );
}
