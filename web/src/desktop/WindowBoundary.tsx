import { Component } from 'react';
import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';

/** A window that breaks says so and can be tried again; the others go on. */
export class WindowBoundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <ErrorState
        title={t('error.windowFailed')}
        text={t('error.default')}
        action={<Button onClick={() => this.setState({ broken: false })}>{t('error.tryAgain')}</Button>}
      />
    );
  }
}
