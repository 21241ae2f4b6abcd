package enum TwinPlaceholder {}
