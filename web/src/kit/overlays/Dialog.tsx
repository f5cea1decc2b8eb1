import type { CSSProperties, ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '#kit/buttons/Button.tsx';
import { classes } from '#kit/styles/classes.ts';
import { t } from '#platform/language.ts';
import css from './Dialog.module.css';
import surface from './Surface.module.css';

export interface DialogProps {
  readonly title: string;
  /** Called on Escape and by its buttons; unmount the dialog then. The focus returns to where it was. */
  readonly onClose: () => void;
  /** A question that must be answered: Escape does nothing and the role is `alertdialog`. */
  readonly urgent?: boolean;
  /** px, 440 unless told. */
  readonly width?: number;
  /** The buttons; left out: one that closes. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** A modal dialog: everything behind it is out of reach, the first field has the focus. Import it lazily outside a window's content. */
export function Dialog({ title, onClose, urgent = false, width = 440, foot, children }: DialogProps) {
  const sized: CSSProperties & Record<'--dialog-width', string> = { '--dialog-width': `min(${width}px, 100vw - 2rem)` };
  return (
    <ModalOverlay
      className={classes(surface['scrim'], css['scrim'])}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isKeyboardDismissDisabled={urgent}
    >
      <Modal className={classes(surface['modal'], css['modal'])} style={sized}>
        <AriaDialog className={css['dialog'] ?? ''} role={urgent ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2} className={css['title'] ?? ''}>
            {title}
          </Heading>
          <div className={css['in']}>{children}</div>
          <div className={css['foot']}>
            {foot ?? (
              <Button kind="primary" onClick={onClose}>
                {t('dialog.ok')}
              </Button>
            )}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
