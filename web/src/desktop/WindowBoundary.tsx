import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/EmptyState.tsx';
import type { DesktopTexts } from './texts.ts';

interface WindowBoundaryProps {
  readonly texts: DesktopTexts['broken'];
  readonly children: ReactNode;
}

/** A window that breaks says so and can be tried again; the others go on. */
export class WindowBoundary extends Component<WindowBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    const { title, text, again } = this.props.texts;
    return <ErrorState title={title} text={text} action={<Button onClick={() => this.setState({ broken: false })}>{again}</Button>} />;
  }
}
