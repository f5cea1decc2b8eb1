import '#kit/overlays/tooltips.ts';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import '#kit/styles/design.css';

/** Shows an element on the test's page until the test ends. */
export function show(element: ReactNode): HTMLElement {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  flushSync(() => root.render(element));
  onTestFinished(() => {
    root.unmount();
    host.remove();
  });
  return host;
}

/** The next frame has been drawn. */
export function frame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

/** A pressed pointer that is moved and let go by hand; the browser's own capture needs a real one. */
export function fakePointer(target: Element) {
  const fire = (type: string, at: { readonly x: number; readonly y: number }) =>
    target.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        cancelable: true,
        button: 0,
        pointerId: 1,
        isPrimary: true,
        pointerType: 'mouse',
        clientX: at.x,
        clientY: at.y,
      }),
    );
  return {
    press: (at: { readonly x: number; readonly y: number }) => {
      if (target instanceof HTMLElement) Object.assign(target, { setPointerCapture: () => undefined, hasPointerCapture: () => false });
      return fire('pointerdown', at);
    },
    move: (at: { readonly x: number; readonly y: number }) => fire('pointermove', at),
    release: (at: { readonly x: number; readonly y: number }) => fire('pointerup', at),
  };
}
