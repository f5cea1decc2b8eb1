import { windowShortcuts, type Shortcut } from '#desktop/shortcuts.ts';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import { t } from '#platform/language.ts';
import { commandKey } from '#platform/command-key.ts';
import css from './ShortcutsDialog.module.css';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const phone = usePhone();
  return (
    <Dialog title={t('menu.shortcuts')} width={920} onClose={onClose}>
      <div className={css['columns']}>
        <div>
          <Shortcuts title={t('shortcuts.everywhere')} shortcuts={portalShortcuts} />
          <Shortcuts title={t('shortcuts.notifications')} shortcuts={notificationShortcuts} />
        </div>
        {/* A phone's windows fill the screen: they are neither moved nor resized. */}
        {!phone && <Shortcuts title={t('shortcuts.windows')} shortcuts={windowShortcuts()} />}
      </div>
    </Dialog>
  );
}

const portalShortcuts: readonly Shortcut[] = [
  { keys: [commandKey, 'K'], text: () => t('shortcuts.search') },
  { keys: ['?'], text: () => t('shortcuts.help') },
  { keys: ['Esc'], text: () => t('shortcuts.escape') },
];
const notificationShortcuts: readonly Shortcut[] = [
  { keys: ['↑ ↓'], text: () => t('shortcuts.walk') },
  { keys: ['Delete'], text: () => t('shortcuts.remove') },
];

function Shortcuts({ title, shortcuts }: { readonly title: string; readonly shortcuts: readonly Shortcut[] }) {
  return (
    <section className={css['section']}>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, text }) => (
          <div key={text()}>
            <dt>
              {keys.map((key, i) => (
                <span key={key}>
                  {i > 0 && ' + '}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{text()}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
