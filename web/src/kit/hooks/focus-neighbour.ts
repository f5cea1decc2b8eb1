/** Before the row that `element` stands in goes: the `data-remove` button of its neighbour takes the focus, or `instead` when there is none. */
export const focusNeighbour = (element: Element, instead: HTMLElement | null): void => {
  const row = element.closest('li');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  (neighbour?.querySelector<HTMLElement>('[data-remove]') ?? instead)?.focus();
};
