import { Button, type ButtonProps } from '#kit/buttons/Button.tsx';
import { useWindow } from './desktop.context.ts';

export function CloseButton(props: Pick<ButtonProps, 'kind' | 'children'>) {
  const { close } = useWindow();
  return <Button {...props} onClick={() => void close()} />;
}
