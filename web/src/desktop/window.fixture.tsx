import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { show } from '#kit/render.fixture.tsx';
import { Desktop } from './Desktop.tsx';
import { createDesktop } from './desktop.store.ts';

/** Opens a window with this content on a desk of its own, maximised; answers whether it is still open. `prepare` fills the cache before. */
export function showWindow(
  Content: () => ReactNode,
  prepare: (queries: QueryClient) => void = () => undefined,
): { readonly isOpen: () => boolean } {
  const desktop = createDesktop({
    catalogue: [{ kind: 'tested', title: () => 'Tested', icon: 'file-text', single: true, render: Content }],
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  prepare(queries);
  const host = show(
    <QueryClientProvider client={queries}>
      <Desktop desktop={desktop} toolbar={null} tiles={null} dashboard={null} />
      <Announcer />
    </QueryClientProvider>,
  );
  host.style.cssText = 'position: fixed; inset: 0';
  desktop.open('tested');
  desktop.maximise('tested');
  return { isOpen: () => desktop.getState().windows.length > 0 };
}
