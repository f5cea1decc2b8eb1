import type { ReactNode } from 'react';
import { ProgressLabel, type ProgressLabelProps } from '#kit/feedback/Spinner.tsx';
import css from './WaitingSheet.module.css';

/** A document whose pages are on their way. */
export interface WaitingDocument {
  readonly seal: ReactNode;
  readonly title: string;
  /** What else is known of it. */
  readonly known: ReactNode;
}

/** Lies where the first page will lie: what is known of the document, and how far its pages are. */
export const WaitingSheet = ({ seal, title, known, ...progress }: WaitingDocument & ProgressLabelProps) => (
  <div className={css['sheet']}>
    <div className={css['head']}>
      {seal}
      <p className={css['title']}>{title}</p>
    </div>
    <ProgressLabel {...progress} />
    {known}
  </div>
);
