import { useState, type DragEvent } from 'react';

/** Takes files that are dropped on the element with the handlers of `zone`, beside a button that does the same; while it `isFull`, none. */
export function useFileDrop(onFiles: (files: readonly File[]) => void, isFull = false) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    zone: {
      onDragOver: (event: DragEvent) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = isFull ? 'none' : 'copy';
        setIsOver(!isFull);
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      },
      onDrop: (event: DragEvent) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        if (!isFull) onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');
