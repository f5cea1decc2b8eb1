import { Component, type ReactNode } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { t } from '#platform/language.ts';

/** A page whose code could not be fetched, or that broke, says so; loading it anew is the way on. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main>
        <ErrorState title={t('error.pageFailed')} action={<Button onClick={() => location.reload()}>{t('error.reload')}</Button>} />
      </main>
    );
  }
}
