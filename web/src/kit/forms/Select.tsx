import {
  Button,
  FieldError,
  Header,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import { classes } from '#kit/styles/classes.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import surface from '#kit/overlays/Surface.module.css';
import field from './Field.module.css';
import css from './Select.module.css';

export interface SelectOption {
  readonly id: string;
  readonly label: string;
  /** Of the label, where it is not the page's: a language's own name. */
  readonly lang?: string;
}
export interface SelectProps {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly options: readonly SelectOption[];
  /** After the options that stand by themselves. */
  readonly section?: { readonly title: string; readonly options: readonly SelectOption[] } | undefined;
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
  /** Shown while nothing is chosen. */
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
  readonly size?: 's' | 'm';
}

export function Select({
  label,
  labelHidden = false,
  options,
  section,
  value,
  onChange,
  placeholder = '',
  error,
  disabled = false,
  size = 'm',
}: SelectProps) {
  return (
    <AriaSelect
      className={classes(field['field'], css['field'], css[`size-${size}`])}
      value={value ?? null}
      onChange={(key) => key !== null && onChange(String(key))}
      isDisabled={disabled}
      isInvalid={error !== undefined}
      placeholder={placeholder}
    >
      <Label className={labelHidden ? 'visually-hidden' : (field['label'] ?? '')}>{label}</Label>
      <Button className={classes(field['frame'], css['button'])}>
        {/* The chosen label alone: by default the tick of its row comes along. */}
        <SelectValue className={css['value'] ?? ''}>{({ selectedText, defaultChildren }) => selectedText || defaultChildren}</SelectValue>
        <Icon name="caret-down" size="s" />
      </Button>
      <FieldError className={field['error'] ?? ''}>
        <Icon name="warning-circle-fill" size="s" />
        {error}
      </FieldError>
      <Popover className={classes(surface['popover'], css['popover'])} offset={4}>
        <ListBox className={css['list'] ?? ''}>
          {options.map(itemOf)}
          {section !== undefined && section.options.length > 0 && (
            <ListBoxSection>
              <Header className={css['section'] ?? ''}>{section.title}</Header>
              {section.options.map(itemOf)}
            </ListBoxSection>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

const itemOf = (option: SelectOption) => (
  <ListBoxItem key={option.id} id={option.id} textValue={option.label} className={css['option'] ?? ''}>
    <span lang={option.lang}>{option.label}</span>
    <Icon name="check-bold" size="s" />
  </ListBoxItem>
);
