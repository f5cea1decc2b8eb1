/** Named by the dictionary of a layer that is off, in a copy for reading: the engine tells no other mark of it. */
export const offKey = 'PergaminLayerOff';
