import type { UserInfo } from '@pergamin/contract';
import type { Desktop } from '#desktop/desktop.store.ts';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import type { Right } from './menu.ts';

const LanguageDialog = onDemand(async () => (await import('./LanguageDialog.tsx')).LanguageDialog);
const PasswordDialog = onDemand(async () => (await import('#features/password/PasswordDialog.tsx')).PasswordDialog);
const AppearanceDialog = onDemand(async () => (await import('./AppearanceDialog.tsx')).AppearanceDialog);
const ShortcutsDialog = onDemand(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog);
const PaletteDialog = onDemand(async () => (await import('./PaletteDialog.tsx')).PaletteDialog);

export const preloadPalette = (): void => void PaletteDialog.preload();

export const dialogNames = ['language', 'appearance', 'change-password', 'reset-password', 'shortcuts', 'palette'] as const;
export type DialogName = (typeof dialogNames)[number];

export interface DeskDialogsProps {
  readonly desktop: Desktop;
  readonly open: DialogName | undefined;
  readonly user: UserInfo;
  readonly rights: ReadonlySet<Right>;
  readonly onClose: () => void;
  readonly onAction: (id: string) => void;
}

export function DeskDialogs({ desktop, open, user, rights, onClose, onAction }: DeskDialogsProps) {
  return (
    <LoadBoundary key={open} onFailed={onClose}>
      {open === 'language' && <LanguageDialog.Component onClose={onClose} />}
      {open === 'change-password' && <PasswordDialog.Component wanted="change" user={user} onClose={onClose} />}
      {open === 'reset-password' && <PasswordDialog.Component wanted="reset" user={user} onClose={onClose} />}
      {open === 'appearance' && <AppearanceDialog.Component onClose={onClose} />}
      {open === 'shortcuts' && <ShortcutsDialog.Component onClose={onClose} />}
      {open === 'palette' && <PaletteDialog.Component desktop={desktop} rights={rights} onClose={onClose} onAction={onAction} />}
    </LoadBoundary>
  );
}
